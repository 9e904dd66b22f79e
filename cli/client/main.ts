/** Finds the client's command that the words name: one of our own, or a server's action. */
import { findNearest } from "../../core/base/nearest.ts";
import { ConnectionError } from "../../sdk/typescript/src/mod.ts";
import { explain } from "../help.ts";
import { CLIENT_COMMANDS, printCompletion, runClientCommand } from "./commands.ts";
import { type Action, actionsOf, type Document, type Freshness, findAction, loadDocument } from "./document.ts";
import { EXIT, problemOf, UsageError } from "./exit_codes.ts";
import { actionLines } from "./help.ts";
import { profileIn, ROUTES, runRoute } from "./routes.ts";
import { runAction } from "./run_action.ts";
import { chooseServer } from "./settings.ts";

export const isClientCommand = (name: string): boolean =>
  Object.hasOwn(CLIENT_COMMANDS, name) || Object.hasOwn(ROUTES, name);

export function runNamed(name: string, rest: readonly string[]): Promise<number> {
  return ending(() => (Object.hasOwn(ROUTES, name) ? runRoute(name, rest) : runClientCommand(name, rest)));
}

/** A server's action, help or completion. `others` are the commands for operators. */
export function runWords(
  words: readonly string[],
  operator_help: readonly string[],
  others: readonly string[],
): Promise<number> {
  const [name = "", ...rest] = words;
  if (name === "__complete") {
    return printCompletion(rest, Object.fromEntries(others.map((one) => [one, "for whoever runs the server"])));
  }
  if (["help", "--help", "-h"].includes(name)) return printHelp(operator_help, console.log);
  if (name === "" || name.startsWith("-")) {
    return printHelp(operator_help, console.error).then(() => EXIT.usage);
  }
  return ending(async () => {
    const { url, key } = chooseServer(profileIn(rest));
    const is_chosen = key !== undefined || process.env.TONWERK_URL !== undefined;
    try {
      // A word that is unknown may be an action that the server got since.
      const found = (await findWords(url, "usual", words)) ?? (await findWords(url, "checked", words));
      if (found !== undefined) return await runAction(found.document, found.action, found.rest);
    } catch (error) {
      // Where nobody said which server, the word is rather a wrong one.
      if (is_chosen || !(error instanceof ConnectionError)) throw error;
    }
    const known = [...Object.keys({ ...CLIENT_COMMANDS, ...ROUTES }), ...others, ...(await commandsOf(url))];
    const why = is_chosen
      ? `There is no command "${name}"; did you mean "${findNearest(name, known)}"?`
      : `There is no command "${name}". If it is an action of your server, set TONWERK_URL and TONWERK_KEY, or run tonwerk profile add; else, did you mean "${findNearest(name, known)}"?`;
    throw new UsageError(`${why}\ntonwerk --help lists all.`);
  });
}

interface Found {
  readonly document: Document;
  readonly action: Action;
  readonly rest: readonly string[];
}

/** `tonwerk remix song …` is `tonwerk remix-song …`. */
async function findWords(url: string, freshness: Freshness, words: readonly string[]): Promise<Found | undefined> {
  const document = await loadDocument(url, freshness);
  const actions = actionsOf(document);
  for (const count of [1, 2]) {
    const action = findAction(actions, words.slice(0, count).join("-"));
    if (action !== undefined) return { document, action, rest: words.slice(count) };
  }
  return undefined;
}

const commandsOf = async (url: string): Promise<readonly string[]> =>
  loadDocument(url, "cached", 1_000).then(
    (document) => actionsOf(document).map(({ command }) => command),
    () => [],
  );

async function printHelp(operator_help: readonly string[], print: (text: string) => void): Promise<number> {
  const actions = await loadDocument(chooseServer(undefined).url, "cached", 1_000).then(actionsOf, () => []);
  const commands = Object.values({ ...ROUTES, ...CLIENT_COMMANDS }).flatMap(({ usage, sentence }) =>
    explain(`tonwerk ${usage}`, sentence),
  );
  print(
    [
      "Usage:",
      ...(actions.length > 0
        ? [...actionLines(actions), "  tonwerk <command> --help explains its options."]
        : ["  The actions of your server stand here once TONWERK_URL or a profile leads to it."]),
      "",
      ...commands,
      "",
      ...operator_help,
    ].join("\n"),
  );
  return EXIT.ok;
}

/** Says what went wrong, for people: results and their problems are the commands' own. */
async function ending(run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    const problem = problemOf(error);
    console.error(problem.doc_url === undefined ? problem.message : `${problem.message}\n  ${problem.doc_url}`);
    return problem.exit;
  }
}
