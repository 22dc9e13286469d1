import { FIELD_NESTING_MAX, FIELD_TYPES, type FieldType } from '@catenary/domain'
import {
  BracesIcon,
  CalendarClockIcon,
  CalendarIcon,
  HashIcon,
  ListChecksIcon,
  ListIcon,
  ToggleLeftIcon,
  TypeIcon,
} from 'lucide-react'
import type { ReactNode } from 'react'
import {
  Select,
  SelectContent,
  SelectItem,
  SelectTrigger,
  SelectValue,
} from '../../../components/ui/select.tsx'
import { newRow, type SchemaRow } from './schema-rows.ts'

// Icons are made when they are shown: a build may read this file before theirs.
const WORDS: Record<FieldType, { word: string; plural: string; icon: () => ReactNode }> = {
  text: { word: 'text', plural: 'text', icon: () => <TypeIcon /> },
  number: { word: 'number', plural: 'numbers', icon: () => <HashIcon /> },
  integer: { word: 'whole number', plural: 'whole numbers', icon: () => <HashIcon /> },
  'yes-no': { word: 'yes or no', plural: 'yes or no', icon: () => <ToggleLeftIcon /> },
  date: { word: 'date', plural: 'dates', icon: () => <CalendarIcon /> },
  'date-time': { word: 'date and time', plural: 'dates and times', icon: () => <CalendarClockIcon /> },
  'one-of': { word: 'one of', plural: 'choices', icon: () => <ListChecksIcon /> },
  group: { word: 'group', plural: 'groups', icon: () => <BracesIcon /> },
}

/** The row with another type; what only the earlier one had stays for the way back. */
function withType(row: SchemaRow, { type, isList }: Pick<SchemaRow, 'type' | 'isList'>): SchemaRow {
  const rows = type === 'group' && row.rows.length === 0 ? [newRow()] : row.rows
  return { ...row, type, isList, rows }
}

export interface RowTypeProps {
  row: SchemaRow
  depth: number
  label: string
  onChange: (change: (row: SchemaRow) => SchemaRow) => void
}

export function RowType({ row, depth, label, onChange }: RowTypeProps) {
  const types = FIELD_TYPES.filter((type) => type !== 'group' || depth < FIELD_NESTING_MAX)
  return (
    <Select
      value={row.isList ? `list ${row.type}` : row.type}
      onValueChange={(value) => {
        const type = value.replace('list ', '') as FieldType
        onChange((row) => withType(row, { type, isList: value !== type }))
      }}
    >
      <SelectTrigger
        aria-label={label}
        className="border-transparent bg-transparent px-2 hover:border-line-strong [&>span]:flex [&>span]:items-center [&>span]:gap-1.5"
      >
        <SelectValue />
      </SelectTrigger>
      <SelectContent>
        {types.map((type) => {
          const { word, icon } = WORDS[type]
          return (
            <SelectItem key={type} value={type}>
              <TypeWord icon={icon()} word={word} />
            </SelectItem>
          )
        })}
        {types.map((type) => (
          <SelectItem key={type} value={`list ${type}`}>
            <TypeWord icon={<ListIcon />} word={`list of ${WORDS[type].plural}`} />
          </SelectItem>
        ))}
      </SelectContent>
    </Select>
  )
}

function TypeWord({ icon, word }: { icon: ReactNode; word: string }) {
  return (
    <span className="flex min-w-0 items-center gap-1.5 [&_svg]:size-3.5 [&_svg]:shrink-0 [&_svg]:text-text-3">
      {icon}
      <span className="truncate">{word}</span>
    </span>
  )
}
