/** Lyrics of a song. */

/** A verse, a chorus and again, and a bridge: about three minutes. */
export const THREE_MINUTES = ["verse", "chorus", "verse", "chorus", "bridge", "chorus"]
  .map(
    (kind) =>
      `[${kind}]\n${(
        kind === "chorus"
          ? [
              "Carry me over the river tonight",
              "Follow the road till the morning is bright",
              "Nothing can hold what is ready to fly",
              "Carry me over, the river is wide",
            ]
          : [
              "Walking alone through the silver rain",
              "Every window is whispering names",
              "I left my heart on the evening train",
              "Nobody told me the summer was gone",
              "Under the bridges the water is deep",
              "Somebody sings while the city's asleep",
              "All of the promises nobody keeps",
              "Turn into light when the morning comes on",
            ]
      ).join("\n")}`,
  )
  .join("\n\n");
