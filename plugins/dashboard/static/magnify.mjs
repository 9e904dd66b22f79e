/**
 * Pictures that are wider than their place, so that labels have room: all of a group scroll together, and follow what
 * is heard.
 */

/** `share(track)`: of the longest, how long a track is. */
export function magnify(box, tracks, share) {
  const select = box.querySelector("[data-magnify]");
  const boxes = tracks.map(({ view }) => view.parentElement);
  let times = 1;
  let before = 0;
  const show = () => {
    times = Number(select?.value ?? 1);
    box.classList.toggle("magnified", times > 1);
    for (const track of tracks) {
      track.view.style.width = `${100 * times * share(track)}%`;
      // What scrolls is reached by keyboard.
      if (times > 1) track.view.parentElement.tabIndex = 0;
      else track.view.parentElement.removeAttribute("tabindex");
    }
  };
  const scrollTo = (left) => {
    for (const one of boxes) if (Math.abs(one.scrollLeft - left) >= 1) one.scrollLeft = left;
  };
  for (const one of boxes)
    one.addEventListener("scroll", () => times > 1 && scrollTo(one.scrollLeft), { passive: true });
  // What is heard stays in sight, and so does the middle where it was not.
  const is_seen = (share) => {
    const [{ scrollLeft, clientWidth }] = boxes;
    const place = share * times * clientWidth - scrollLeft;
    return place >= 0 && place <= clientWidth;
  };
  select?.addEventListener("change", () => {
    const [first] = boxes;
    const middle = (first.scrollLeft + first.clientWidth / 2) / first.scrollWidth;
    const kept = is_seen(before) ? before : middle;
    show();
    scrollTo(kept * times * first.clientWidth - first.clientWidth / 2);
  });
  show();
  return {
    /**
     * `at`: of the longest, how far it is heard. What leaves the sight comes to its left edge; who has scrolled away
     * stays there.
     */
    follow(at) {
      const has_jumped = Math.abs(at - before) * times > 0.25;
      if (times > 1 && !is_seen(at) && (is_seen(before) || has_jumped))
        scrollTo(at * times * boxes[0].clientWidth - boxes[0].clientWidth / 10);
      before = at;
    },
  };
}
