// What npm's MJML and emailens say of messages.
//
// The standard input is JSON: {"mjml": {name: source}, "html": {name: {page, unsubscribe}}}, where unsubscribe
// is the header List-Unsubscribe. The standard output is JSON: {"mjml": {name: [error]}, "html": {name: [error]}}.
import { readFileSync } from "node:fs";
import { auditEmail } from "@emailens/engine";
import mjml2html from "mjml";

const asked = JSON.parse(readFileSync(0, "utf8"));
const found = { mjml: {}, html: {} };
for (const [name, source] of Object.entries(asked.mjml ?? {})) {
  found.mjml[name] = await compilerErrors(source);
}
for (const [name, { page, unsubscribe }] of Object.entries(asked.html ?? {})) {
  found.html[name] = auditErrors(page, unsubscribe);
}
process.stdout.write(JSON.stringify(found));

async function compilerErrors(source) {
  try {
    const { html, errors } = await mjml2html(source, { validationLevel: "strict", ignoreIncludes: true });
    if (!html.includes("</html>")) return ["there is no page"];
    return errors.map((error) => error.formattedMessage);
  } catch (error) {
    return error.errors?.map((each) => each.formattedMessage) ?? [String(error)];
  }
}

function auditErrors(page, unsubscribe) {
  const { compatibility, ...reports } = auditEmail(page, { spam: { listUnsubscribeHeader: unsubscribe } });
  const errors = compatibility.warnings
    .filter((warning) => warning.severity === "error")
    .map((warning) => `${warning.client}: ${warning.property}: ${warning.message}`);
  for (const [name, report] of Object.entries(reports)) {
    for (const issue of report.issues ?? []) {
      if (issue.severity === "error") errors.push(`${name}: ${issue.rule}: ${issue.message}`);
    }
  }
  return errors;
}
