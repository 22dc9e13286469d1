export type Random = () => number

/** mulberry32. */
export function randomFrom(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export const pick = <Each>(random: Random, list: readonly Each[]): Each => {
  const picked = list[Math.floor(random() * list.length)]
  if (picked === undefined) throw new Error('There is nothing to pick from')
  return picked
}
export const upTo = (random: Random, most: number) => Math.floor(random() * (most + 1))
