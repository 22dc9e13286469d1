/** The cycle that tags take their colours from, by id. */
export const TAG_COLORS = ['blue', 'green', 'purple', 'yellow', 'red', 'indigo', 'pink'] as const

export type TagColor = (typeof TAG_COLORS)[number]

/** The colour of a tag, the same everywhere and always: `id mod 7` into the cycle. */
export function tagColor(id: number): TagColor {
  return TAG_COLORS[id % TAG_COLORS.length] ?? TAG_COLORS[0]
}
