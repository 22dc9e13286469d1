/** Foreign headings begin below the page's own: its title is 1, its parts are 2. */
const FIRST_LEVEL = 3
const LAST_LEVEL = 6

export function nestHeadings(levels: readonly number[]): number[] {
  const shift = FIRST_LEVEL - Math.min(...levels)
  let previous = FIRST_LEVEL - 1
  return levels.map((level) => {
    previous = Math.min(level + shift, previous + 1, LAST_LEVEL)
    return previous
  })
}
