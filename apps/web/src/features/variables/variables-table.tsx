import type { Variable } from '@catenary/contracts'
import { TypeIcon } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { TagLine } from '../../components/tag-line.tsx'
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '../../components/ui/table.tsx'
import { Visibility } from '../../components/visibility.tsx'
import { matchesShortcut, useAriaKeys } from '../../lib/shortcuts.ts'
import { VariableActions } from './variable-actions.tsx'

/** Characters of a text that the table and its tooltip show. */
const PREVIEW_MAX = 60
const TOOLTIP_MAX = 100
/** Room for the chips of a row. */
const TAG_LINE_WIDTH = 230
const COMPACT_TAG_LINE_WIDTH = 170

export interface VariablesTableProps {
  variables: readonly Variable[]
  onEdit: (variable: Variable) => void
  onDelete: (variable: Variable) => void
  compact: boolean
  isGuest: boolean
}

/** Variables as rows: arrows move between names, Enter and `e` edit. */
export function VariablesTable({ variables, ...rest }: VariablesTableProps) {
  return (
    <Table aria-label="Variables">
      <TableHeader>
        <TableRow>
          <TableHead>Name</TableHead>
          <TableHead className="max-lg:hidden">Type</TableHead>
          <TableHead className="max-md:hidden">Content</TableHead>
          <TableHead className="max-lg:hidden">Tags</TableHead>
          <TableHead className="max-md:hidden">
            <span className="sr-only">Visibility</span>
          </TableHead>
          <TableHead>
            <span className="sr-only">Actions</span>
          </TableHead>
        </TableRow>
      </TableHeader>
      <TableBody onKeyDown={moveBetweenNames}>
        {variables.map((variable) => (
          <VariableRow key={variable.id} variable={variable} {...rest} />
        ))}
      </TableBody>
    </Table>
  )
}

function VariableRow({
  variable,
  onEdit,
  onDelete,
  compact,
  isGuest,
}: Omit<VariablesTableProps, 'variables'> & { variable: Variable }) {
  const { id, name, type, content, tags, canEdit } = variable
  const editKeys = useAriaKeys('edit')
  const preview = truncate({ text: content, max: PREVIEW_MAX })
  return (
    <TableRow data-variable-id={id} className="hover:bg-hover/60">
      <TableCell className="max-w-56 max-md:max-w-0 max-md:w-full max-md:py-2">
        {canEdit ? (
          <button
            type="button"
            data-row-focus
            aria-keyshortcuts={editKeys}
            onClick={() => onEdit(variable)}
            onKeyDown={(event) => {
              if (!matchesShortcut({ event, id: 'edit' })) return
              // Or the form that opens would get the letter.
              event.preventDefault()
              onEdit(variable)
            }}
            className="prompt-text relative block max-w-full rounded-tag text-left text-text after:absolute after:-inset-x-1 after:-inset-y-2 hover:underline pointer-coarse:after:-inset-y-3"
          >
            <span className="block truncate">{name}</span>
          </button>
        ) : (
          <span className="prompt-text block truncate text-text">{name}</span>
        )}
        <div className="grid gap-1 md:hidden">
          <p className="truncate text-sm text-text-2">{preview}</p>
          <div className="flex items-center gap-3 text-xs text-text-3">
            <Visibility isPublic={variable.isPublic} />
            <TagLine tags={tags} width={COMPACT_TAG_LINE_WIDTH} />
          </div>
        </div>
      </TableCell>
      <TableCell className="whitespace-nowrap text-text-2 max-lg:hidden">
        <span className="flex items-center gap-2">
          <TypeIcon className="size-4 text-text-3" />
          {type}
        </span>
      </TableCell>
      <TableCell className="w-1/2 max-w-0 text-text-2 max-md:hidden">
        <p className="truncate" title={truncate({ text: content, max: TOOLTIP_MAX })}>
          {preview}
        </p>
      </TableCell>
      <TableCell className="max-lg:hidden">
        <TagLine tags={tags} width={TAG_LINE_WIDTH} />
      </TableCell>
      <TableCell className="text-xs text-text-3 max-md:hidden">
        <Visibility isPublic={variable.isPublic} />
      </TableCell>
      <TableCell className="w-px max-md:pr-1 max-md:pl-0">
        <VariableActions
          variable={variable}
          compact={compact}
          isGuest={isGuest}
          onEdit={() => onEdit(variable)}
          onDelete={() => onDelete(variable)}
        />
      </TableCell>
    </TableRow>
  )
}

/** One line of the text, cut at so many characters. */
function truncate({ text, max }: { text: string; max: number }): string {
  const line = text
    .slice(0, 4 * max)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > max ? `${line.slice(0, max)}…` : line
}

function moveBetweenNames(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  const names = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row-focus]')]
  const current = event.target instanceof HTMLElement ? names.indexOf(event.target) : -1
  const next = current === -1 ? undefined : names[current + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}
