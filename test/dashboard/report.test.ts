import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { html } from "../../plugins/dashboard/html.ts";
import { overlay, strip } from "../../plugins/dashboard/report/drawing.ts";
import { comparison, factsOf, reportFacts } from "../../plugins/dashboard/report/facts.ts";
import { isEmpty, sourceTimeline, timelineOf } from "../../plugins/dashboard/report/timeline.ts";

const ANALYSIS = {
  seconds: 60,
  beats: [0, 1, 2, 30, 31, 59],
  downbeats: [0, 30],
  sections: [
    { start: 0, end: 20, label: "A" },
    { start: 20, end: 60, label: "B" },
  ],
  chords: [],
};

test("what was heard of the source lies in the output where its pieces went", () => {
  // 0-10 s of the source, then 30-50 s.
  const report = { source_start: 0, cuts: [{ output_time: 10, source_time: 30, bars: 8 }], analysis: ANALYSIS };
  const { sections, beats, downbeats, cuts } = timelineOf(report, 30);
  assert.deepEqual(sections, [
    { start: 0, end: 10, label: "A" },
    { start: 10, end: 30, label: "B" },
  ]);
  assert.deepEqual(
    [beats, downbeats],
    [
      [0, 1, 2, 10, 11],
      [0, 10],
    ],
  );
  assert.deepEqual(cuts, [{ time: 10, label: "cut: skips 8 bars" }]);
  assert.deepEqual(sourceTimeline(report).beats, ANALYSIS.beats);
  // Bars that are heard again.
  const again = timelineOf({ cuts: [{ output_time: 20, source_time: 0, bars: -4 }], analysis: ANALYSIS }, 40);
  assert.deepEqual(
    again.sections.map(({ start, label }) => [start, label]),
    [
      [0, "A"],
      [20, "A"],
    ],
  );
  assert.equal(again.cuts[0]!.label, "cut: 4 bars again");
});

test("composed music has its beats from tempo and metre", () => {
  const composed = { tempo_bpm: 120, metre: "3/4", sections: [{ start: 0.5, end: 3.5, label: "A" }], chords: [] };
  const { beats, downbeats } = timelineOf({ composed }, 4);
  assert.deepEqual(
    [beats, downbeats],
    [
      [0.5, 1, 1.5, 2, 2.5, 3],
      [0.5, 2],
    ],
  );
  assert.equal(timelineOf({ composed: { ...composed, metre: "6/8" } }, 4).downbeats.length, 3);
});

test("a report of any shape is drawn as far as it makes sense", () => {
  const odd = [
    null,
    {},
    { cuts: "x", gain: 7, lines: [null, 1, {}], sections: [] },
    { composed: [], analysis: null },
    { gain: [{ time: Number.NaN, db: 1 }, { time: 1 }] },
    { speech: [{ start: 3, end: 1 }] },
    { composed: { tempo_bpm: 1e9, metre: {}, sections: [{ start: 0, end: 1e9 }] } },
  ];
  for (const report of odd) {
    const timeline = timelineOf(report as never, 5);
    assert.ok(timeline.gain.length === 0 && timeline.cuts.length === 0 && timeline.lines.length === 0);
    assert.ok(
      html`${overlay(timeline, 5)}${strip("Section", timeline.sections, 5, true)}${reportFacts(report as never, timeline)}`
        .text.length > 0 || report === null,
    );
  }
  assert.ok(isEmpty(timelineOf({}, 1)));
});

test("why a score was played is a table of its own", () => {
  const terms = [{ name: "chord_tones", value: 0.91, low: 0.6, high: 0.95, worth: 1 }, "odd"];
  const choice = { candidates: 8, worth: 0.98, first_worth: 0.95, terms };
  const shown = String(html`${reportFacts({ composed: { key: "C major", choice } }, timelineOf({}, 1))}`);
  assert.match(shown, /Best of 8 scores.*0\.95.*Chord tones.*0\.91.*0\.6 – 0\.95/su);
  assert.equal(shown.split("Chord tones").length, 2);
});

test("marks lie where their times are, within the picture, and labels are escaped", () => {
  const timeline = timelineOf(
    {
      lines: [{ start: 1, end: 3, line: "<b>sing</b>" }],
      cuts: [{ output_time: 2, source_time: 9, bars: null }],
      gain: [
        { time: 0, db: 0 },
        { time: 1, db: -12 },
      ],
      speech: [{ start: -1, end: 99 }],
    },
    4,
  );
  const drawn = html`${overlay(timeline, 4)}`.text;
  assert.match(drawn, /class="cut" x1="50\.000%" x2="50\.000%"/u);
  assert.match(drawn, /class="band-2" x="0\.000%" width="100\.000%"/u);
  assert.match(drawn, /points="0\.000,4\.00 [\s\S]* 1\.000,47\.85 4\.000,47\.85"/u);
  const words = html`${strip("Line", timeline.lines, 4, true)}`.text;
  assert.match(words, /class="band-0" d="M1 0h2v100H1"/u);
  assert.match(words, /data-spans="1-3 &lt;b&gt;sing&lt;\/b&gt;"/u);
  assert.match(words, /<tspan class="from-300" x="25\.000%">&lt;b&gt;sing&lt;\/b&gt;<\/tspan>/u);
  assert.ok(!words.includes("<b>"));
});

test("a label is shown from the width on that has room for it, as the stylesheet says", async () => {
  const chord = (seconds: number) => strip("Chord", [{ start: 0, end: seconds, label: "Ebm7" }], 100, true);
  const kindOf = (seconds: number) => /class="from-(\d+)"/u.exec(html`${chord(seconds)}`.text)?.[1];
  // Some 36 pixels with its margins.
  assert.deepEqual([20, 5, 1, 0.1].map(kindOf), ["300", "735", "4390", undefined]);
  const style = await readFile(new URL("../../plugins/dashboard/static/style.css", import.meta.url), "utf8");
  const rules = [...style.matchAll(/@container view \(width < (\d+)px\) \{\s*\.from-(\d+) \{\s*display: none;/gu)];
  assert.ok(rules.length > 10 && rules.every(([, px, kind]) => px === kind));
  const known = new Set(rules.map(([, px]) => px));
  for (let seconds = 0.7; seconds < 12; seconds += 0.1) assert.ok(known.has(kindOf(seconds)), String(seconds));
});

test("of alternatives the music comes first, long lists are ranges, and words explain themselves", () => {
  const facts = [0, 1].map((take) => [
    { group: "", name: "Seed", text: String(take) },
    ...factsOf({
      composed: {
        tempo_map: Array.from({ length: 20 }, (_, index) => ({ start: index, bpm: 100 + take + index / 10 })),
        key: "C major",
      },
    }),
  ]);
  const { text } = comparison(["One", "Two"], facts);
  assert.match(text, /bpm 100 to 101\.9, 20 points/u);
  assert.ok(text.indexOf("Tempo map") < text.indexOf("Seed"));
  assert.match(text, /<details class="term"><summary>Seed<\/summary><small>The number that chance/u);
  assert.match(text, /The same in all: 1[\s\S]*C major/u);
});
