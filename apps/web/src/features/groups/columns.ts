/** What a narrow list folds into the first column. A cell stays without width: rows that span all columns count them. */
const FOLDED_HEAD = '@max-lg:w-0 @max-lg:px-0 @max-lg:[&>*]:sr-only'
export const FOLDED_CELL = '@max-lg:w-0 @max-lg:px-0 @max-lg:[&>*]:hidden'

export const COLUMNS = [
  { name: 'Group', head: '' },
  { name: 'Members', head: `w-24 text-right ${FOLDED_HEAD}` },
  { name: 'Led by', head: `w-40 ${FOLDED_HEAD}` },
  { name: 'Shared', head: 'w-28 pr-[calc(var(--card-x)+26px)] text-right' },
] as const
