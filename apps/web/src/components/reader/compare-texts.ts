import { type Change, presentableDiff } from '@codemirror/merge'

/** Beyond so much work, differences are shown in larger pieces. */
const EFFORT = { scanLimit: 500 }

/** The places in which two texts differ. */
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
