import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.PDFAParser;
import org.verapdf.pdfa.PDFAValidator;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;
import org.verapdf.pdfa.results.ValidationResult;
import org.verapdf.pdfa.validation.profiles.RuleId;

/**
 * Validates PDF files for as long as it is asked to, so that many validations share one JVM.
 *
 * <p>Each line of the standard input is a flavour (such as 3a or ua1), a tab and the path of a file. Each line of the
 * standard output is the answer: PASS, FAIL or ERROR, then one field for each rule that failed. Fields are separated
 * by tabs; line breaks and tabs inside them are spaces.
 */
public class Validate {
  private static final int MOST_FAILURES_A_RULE = 100;

  public static void main(String[] arguments) throws Exception {
    java.util.logging.LogManager.getLogManager().reset();
    VeraGreenfieldFoundryProvider.initialise();
    PrintStream answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = questions.readLine(); line != null; line = questions.readLine()) {
      String[] question = line.split("\t", 2);
      answers.println(answer(PDFAFlavour.byFlavourId(question[0]), new File(question[1])));
    }
  }

  private static String answer(PDFAFlavour flavour, File file) {
    if (flavour == PDFAFlavour.NO_FLAVOUR) {
      return "ERROR\tveraPDF knows no such flavour";
    }
    try (PDFAParser parser = Foundries.defaultInstance().createParser(file, flavour)) {
      PDFAValidator validator =
          Foundries.defaultInstance().createValidator(List.of(flavour), MOST_FAILURES_A_RULE, false, true, false);
      List<String> fields = new ArrayList<>();
      fields.add("PASS");
      for (ValidationResult result : validator.validateAll(parser)) {
        if (result.getTotalAssertions() == 0) {
          return "ERROR\tveraPDF checked nothing";
        }
        if (!result.isCompliant()) {
          fields.set(0, "FAIL");
          fields.addAll(failures(result));
        }
      }
      return String.join("\t", fields);
    } catch (Exception | LinkageError error) {
      return "ERROR\t" + oneLine(error.toString());
    }
  }

  private static List<String> failures(ValidationResult result) {
    Map<String, String> found = new LinkedHashMap<>();
    for (TestAssertion test : result.getTestAssertions()) {
      if (test.getStatus() == TestAssertion.Status.FAILED) {
        RuleId rule = test.getRuleId();
        String message = test.getErrorMessage() != null ? test.getErrorMessage() : test.getMessage();
        found.putIfAbsent(
            rule.getClause() + "-" + rule.getTestNumber(),
            "x" + result.getFailedChecks().get(rule) + " " + message + " @ " + test.getLocation().getContext());
      }
    }
    List<String> lines = new ArrayList<>();
    found.forEach((rule, message) -> lines.add(oneLine(rule + ": " + message)));
    return lines;
  }

  private static String oneLine(String text) {
    return text.replaceAll("\\s+", " ");
  }
}
