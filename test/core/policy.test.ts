import assert from "node:assert/strict";
import { test } from "node:test";
import type { AnyAction } from "../../contract/mod.ts";
import { checkPolicy, DEFAULT_RULES } from "../../core/actions/policy.ts";
import { Failure } from "../../core/base/errors.ts";

const action = { policy: { fields: ["prompt"], code: "tos_violation" } } as unknown as AnyAction;

test("checkPolicy() lets love, war and murder ballads pass", () => {
  for (const prompt of [
    "calm piano, rain on a window",
    "I'm gonna kill you, she said, and the river took him",
    "we shot the sheriff at noon",
    "school's out for summer, kids run wild",
    "sexy bass line, late night club",
    "children of the revolution",
    "bomb the bass, explosive drums",
    "a chink of light through the door",
    "she was seventeen, I was blue",
  ]) {
    assert.doesNotThrow(() => checkPolicy(action, { prompt }), prompt);
  }
});

test("checkPolicy() refuses what the rules describe, whatever the spelling, with the action's code and the rule's name", () => {
  for (const [prompt, rule] of [
    ["explicit   SEX with a 12-year-old", "minors"],
    ["nude schoolgirls dancing", "minors"],
    ["I'll bomb the station tomorrow", "threats"],
    ["Wé are going to shoot up the mall on Friday", "threats"],
  ] as const) {
    assert.throws(
      () => checkPolicy(action, { prompt }),
      (error) => {
        assert.ok(error instanceof Failure);
        assert.equal(error.code, "tos_violation");
        assert.ok(error.message.includes(`"${rule}"`), error.message);
        assert.ok(!error.message.includes(prompt.slice(4, 12)));
        return true;
      },
      prompt,
    );
  }
});

test("checkPolicy() reads only the fields that the action names, and takes other rules", () => {
  const prompt = "nude schoolgirls dancing";
  assert.doesNotThrow(() => checkPolicy(action, { note: prompt }));
  assert.doesNotThrow(() => checkPolicy({} as AnyAction, { prompt }));
  assert.doesNotThrow(() => checkPolicy(action, { prompt }, []));
  const shouting = { name: "shouting", description: "no shouting", matches: (text: string) => text.includes("!") };
  assert.throws(() => checkPolicy(action, { prompt: "hey!" }, [...DEFAULT_RULES, shouting]), /"shouting"/);
});
