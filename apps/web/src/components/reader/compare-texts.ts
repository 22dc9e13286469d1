import { type Change, presentableDiff } from '@codemirror/merge'

const EFFORT = { scanLimit: 500 }

export function compareTexts({
  before,
  after,
}: {
  before: string
  after: string
}): readonly Pick<Change, keyof Change>[] {
  return presentableDiff(before, after, EFFORT).map(({ fromA, toA, fromB, toB }) => ({
    fromA,
    toA,
    fromB,
    toB,
  }))
}
