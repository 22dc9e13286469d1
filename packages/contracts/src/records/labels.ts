import * as z from 'zod'

/** The newest version, computed: no label of that name is ever stored. */
export const LATEST_LABEL = 'latest'
const LABEL_PATTERN = /^[a-z][a-z0-9_.-]{0,35}$/

const LABEL =
  'A label begins with a letter, followed by letters, digits, `_`, `.` and `-`, all lowercase, at most 36 characters'

export const wantedLabel = z.string().regex(LABEL_PATTERN, LABEL).describe('`latest`: the newest version.')

export const movableLabel = wantedLabel
  .refine((label) => label !== LATEST_LABEL, '`latest` is always the newest version and can’t be moved')
  .describe('Name of the label.')

export const versionNumber = z.int().min(1).max(2_147_483_647)

export const labelOfRecord = z.object({
  label: movableLabel,
  version: versionNumber.describe('Number of the version that it points to.'),
})
