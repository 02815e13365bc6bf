// What other programs make of the same content: Email.md, npm's MJML and React Email, each where it is installed.
//
// The standard input is JSON: {markdown, mjml, language, repeat}. The standard output is JSON by program:
// {version, seconds, html, text} or {missing}.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const asked = JSON.parse(readFileSync(0, "utf8"));

const rivals = {
  "Email.md": ["emailmd", async ({ render }) => () => render(asked.markdown)],
  "npm mjml": [
    "mjml",
    async ({ default: mjml2html }) =>
      async () => ({ html: (await mjml2html(asked.mjml, { ignoreIncludes: true })).html, text: null }),
  ],
  "React Email": ["@react-email/components", reactEmail],
};

async function reactEmail(parts) {
  const { createElement } = await import("react");
  // As in its documentation: a document, a container, and the component for Markdown.
  const page = () =>
    createElement(
      parts.Html,
      { lang: asked.language },
      createElement(parts.Head),
      createElement(
        parts.Body,
        null,
        createElement(parts.Container, null, createElement(parts.Markdown, null, asked.markdown)),
      ),
    );
  return async () => ({
    html: await parts.render(page()),
    text: await parts.render(page(), { plainText: true }),
  });
}

const found = {};
for (const [name, [part, prepare]] of Object.entries(rivals)) {
  try {
    const make = await prepare(await import(part));
    const times = [];
    let made = await make();
    for (let index = 0; index < asked.repeat; index += 1) {
      const start = performance.now();
      made = await make();
      times.push((performance.now() - start) / 1000);
    }
    const version = JSON.parse(readFileSync(packageFile(part), "utf8")).version;
    found[name] = { version, seconds: times.sort((a, b) => a - b)[times.length >> 1], ...made };
  } catch (error) {
    found[name] = { missing: String(error).split("\n")[0] };
  }
}
process.stdout.write(JSON.stringify(found));

function packageFile(part) {
  return `${require.resolve.paths(part).find((path) => exists(`${path}/${part}/package.json`))}/${part}/package.json`;
}

function exists(path) {
  try {
    readFileSync(path);
    return true;
  } catch {
    return false;
  }
}
