import type { ReactNode } from 'react'
import { Input } from '../../../components/ui/input.tsx'
import { cn } from '../../../lib/utils.ts'
import { RowType } from './row-types.tsx'
import type { SchemaRow } from './schema-rows.ts'

export const SCHEMA_LINE =
  'grid grid-cols-2 gap-x-1 @lg:grid-cols-[minmax(0,6fr)_minmax(0,7fr)_minmax(0,11fr)_60px_60px] @lg:items-start'
const CELL = 'border-transparent bg-transparent px-2 hover:border-line-strong'

export interface SchemaFieldInputsProps {
  row: SchemaRow
  number: string
  depth: number
  describedBy: string | undefined
  onChange: (update: (row: SchemaRow) => SchemaRow) => void
  actions: ReactNode
}

export function SchemaFieldInputs({
  row,
  number,
  depth,
  describedBy,
  onChange,
  actions,
}: SchemaFieldInputsProps) {
  return (
    <div className={SCHEMA_LINE}>
      <Input
        aria-label={`Name of field ${number}`}
        aria-invalid={describedBy ? true : undefined}
        aria-describedby={describedBy}
        data-row-name
        placeholder="name"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={100}
        value={row.name}
        onChange={({ target: { value: name } }) => onChange((row) => ({ ...row, name }))}
        className={cn(CELL, 'font-mono text-xs')}
      />
      <RowType row={row} depth={depth} label={`Type of field ${number}`} onChange={onChange} />
      <div className="@max-lg:col-span-2">
        {row.type === 'one-of' && (
          <Input
            aria-label={`Choices of field ${number}`}
            placeholder="high, mid, low"
            autoComplete="off"
            value={row.choices}
            onChange={({ target: { value: choices } }) => onChange((row) => ({ ...row, choices }))}
            className={CELL}
          />
        )}
        <Input
          aria-label={`Description of field ${number}`}
          placeholder="Describe what goes here"
          autoComplete="off"
          value={row.description}
          onChange={({ target: { value } }) => onChange((row) => ({ ...row, description: value }))}
          className={CELL}
        />
      </div>
      <label className="flex h-8 items-center gap-2 px-2 text-xs text-text-3 @lg:justify-center @lg:px-0 pointer-coarse:h-11">
        <input
          type="checkbox"
          aria-label={`Field ${number} is required`}
          checked={row.isRequired}
          onChange={({ target: { checked } }) => onChange((row) => ({ ...row, isRequired: checked }))}
          className="size-4 accent-accent"
        />
        <span className="@lg:hidden">Required</span>
      </label>
      {actions}
    </div>
  )
}
