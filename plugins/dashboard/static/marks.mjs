/** Marks that follow: what of the strips is sounding is tinted, and said in one line, also where its label had no room. */

export function followMarks(box) {
  const line = box.querySelector("[data-now]");
  let marks = [];
  let gain = [];
  return {
    /** Of this track from now on. */
    of(track) {
      for (const { element } of marks) element.classList.remove("now");
      marks = [...(track?.querySelectorAll("[data-span]") ?? [])].map((element) => {
        // In percent of the track.
        const at = (share) => (Number.parseFloat(share) * Number(track.dataset.seconds)) / 100;
        const from = at(element.getAttribute("x"));
        const to = from + at(element.getAttribute("width"));
        const { what } = element.parentElement.dataset;
        return { element, from, to, what, text: element.querySelector("title").textContent.replace(/ \S+$/u, "") };
      });
      const corners = track?.querySelector("[data-gain]")?.dataset.gain.split(" ") ?? [];
      gain = corners.map((corner) => corner.split(":").map(Number));
    },
    at(now) {
      const said = [];
      for (const { element, from, to, what, text } of marks) {
        const is_now = now >= from && now < to && now > 0;
        element.classList.toggle("now", is_now);
        if (is_now && text !== "") said.push(`${what} ${text}`);
      }
      const after = gain.findIndex(([time]) => time > now);
      const db = after > 0 ? between(gain[after - 1], gain[after], now) : gain.at(-1)?.[1];
      if (db !== undefined && now > 0) said.push(`Music ${db.toFixed(1)} dB`);
      line.textContent = said.join(" · ");
    },
  };
}

/** The raised cosine that the gain is drawn with. */
function between([start, low], [end, high], now) {
  return low + ((high - low) * (1 - Math.cos((Math.PI * (now - start)) / (end - start)))) / 2;
}
