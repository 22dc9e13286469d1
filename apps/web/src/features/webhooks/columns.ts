/** What a narrow list folds into the first column. A cell stays without width: rows that span all columns count them. */
const FOLDED = {
  below3xl: {
    head: '@max-3xl:w-0 @max-3xl:px-0 @max-3xl:[&>*]:sr-only',
    cell: '@max-3xl:w-0 @max-3xl:px-0 @max-3xl:[&>*]:hidden',
  },
  below2xl: {
    head: '@max-2xl:w-0 @max-2xl:px-0 @max-2xl:[&>*]:sr-only',
    cell: '@max-2xl:w-0 @max-2xl:px-0 @max-2xl:[&>*]:hidden',
  },
  belowLg: {
    head: '@max-lg:w-0 @max-lg:px-0 @max-lg:[&>*]:sr-only',
    cell: '@max-lg:w-0 @max-lg:px-0 @max-lg:[&>*]:hidden',
  },
}

export const COLUMNS = [
  { name: 'Endpoint', width: '', folded: undefined },
  { name: 'Events', width: 'w-[17%]', folded: FOLDED.below2xl },
  { name: 'Secret', width: 'w-[162px]', folded: FOLDED.below3xl },
  { name: 'Last 20 deliveries', width: 'w-[206px]', folded: FOLDED.below3xl },
  { name: 'State', width: 'w-[172px]', folded: FOLDED.belowLg },
] as const

export const COLUMN_COUNT = COLUMNS.length + 1

export const foldedOf = (column: (typeof COLUMNS)[number]['name']): string =>
  COLUMNS.find(({ name }) => name === column)?.folded?.cell ?? ''
