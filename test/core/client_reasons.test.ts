import assert from "node:assert/strict";
import { test } from "node:test";
import { removePaths } from "../../core/base/client_reasons.ts";

test("removePaths() takes paths of this machine and stacks away", () => {
  for (const [text, told] of [
    ["Cannot open /home/tonwerk/models/x.onnx: no such file", "Cannot open [path]: no such file"],
    ['ENOENT: no such file, open "/srv/data/a b"', 'ENOENT: no such file, open "[path] b"'],
    ["failed (file:///opt/tonwerk/plugins/a.b/action.ts:3)", "failed ([path])"],
    ["Cannot read C:\\Users\\me\\a.wav, nor \\\\host\\share\\b.wav", "Cannot read [path], nor [path]"],
    ["Too plain\n    at process (/app/plugins/x.ts:1:2)\n    at async run (native)", "Too plain"],
    ["(/tmp/tonwerk-1/source)", "([path])"],
  ])
    assert.equal(removePaths(text!), told);
});

test("removePaths() leaves what an author says on purpose", () => {
  for (const text of [
    "The tempo is 7/8 and/or 6/8, 120/min",
    "Send it to PUT /v1/files, see https://example.com/docs/etc/paths and http://example.com/usr/x",
    "It is too plain: write more\nthan one line",
    "Bars 3/4 of a/b/c, at 2:1",
  ])
    assert.equal(removePaths(text), text);
});
