import type { ListedVariable } from '@catenary/contracts'
import type { ComponentProps } from 'react'
import { TableCell, TableRow } from '../../components/ui/table.tsx'
import { Hint } from '../../components/ui/tooltip.tsx'
import { matchesShortcut, useAriaKeys } from '../../lib/keyboard/shortcuts.ts'
import { truncate } from '../../lib/text/truncate.ts'
import { TagLine } from '../library/tags/tag-line.tsx'
import { Visibility } from '../records/shares/visibility.tsx'
import { VariableActions } from './variable-actions.tsx'
import { VariableTypeIcon, variablePreview } from './variable-kind.tsx'
import { describeUsage, type UsageCounts } from './variable-usage.ts'

const PREVIEW_MAX = 60
const TOOLTIP_MAX = 100
const TAG_LINE_WIDTH = 150
const COMPACT_TAG_LINE_WIDTH = 120

export interface VariableRowActions {
  onPreview: (variable: ListedVariable) => void
  onEdit: (variable: ListedVariable) => void
  onDelete: (variable: ListedVariable) => void
}

export interface VariableRowProps extends VariableRowActions, Pick<ComponentProps<'tr'>, 'aria-rowindex'> {
  variable: ListedVariable
  index: number
  usage: UsageCounts | undefined
  compact: boolean
  isGuest: boolean
}

export function VariableRow({
  variable,
  index,
  usage,
  onPreview,
  onEdit,
  onDelete,
  compact,
  isGuest,
  ...row
}: VariableRowProps) {
  const { id, name, type, tags, canEdit, isPublic } = variable
  const editKeys = useAriaKeys('edit')
  const full = variablePreview(variable)
  const preview = truncate({ text: full, max: PREVIEW_MAX })
  const used = usage && describeUsage(usage)
  return (
    <TableRow data-variable-id={id} data-grid-index={index} className="hover:bg-hover/60" {...row}>
      <TableCell className="max-md:py-2">
        <button
          type="button"
          data-grid-focus
          aria-keyshortcuts={canEdit ? editKeys : undefined}
          onClick={() => (canEdit ? onEdit(variable) : onPreview(variable))}
          onKeyDown={(event) => {
            if (!canEdit || !matchesShortcut({ event, id: 'edit' })) return
            // Otherwise the form that opens would get the letter.
            event.preventDefault()
            onEdit(variable)
          }}
          className="prompt-text relative block max-w-full rounded-tag text-left text-text after:absolute after:-inset-x-2 after:-inset-y-2 hover:underline pointer-coarse:after:-inset-y-3"
        >
          <span className="block truncate">{name}</span>
        </button>
        <div className="grid gap-1 md:hidden">
          <p className="flex min-w-0 items-center gap-1.5 text-sm text-text-2">
            <VariableTypeIcon type={type} className="size-3.5 shrink-0 text-text-3" />
            <span className="sr-only">{type}</span>
            <span className="truncate">{preview}</span>
          </p>
          <div className="flex items-center gap-3 text-xs text-text-3">
            <Visibility isPublic={isPublic} />
            {used && <span className="whitespace-nowrap">{used}</span>}
            <TagLine tags={tags} width={COMPACT_TAG_LINE_WIDTH} />
          </div>
        </div>
      </TableCell>
      <TableCell className="text-text-2 max-md:hidden">
        <span className="flex items-center gap-2" title={type}>
          <VariableTypeIcon type={type} className="size-4 shrink-0 text-text-3" />
          <span className="max-[85rem]:sr-only">{type}</span>
        </span>
      </TableCell>
      <TableCell className="text-text-2 max-md:hidden">
        {full !== '' && (
          <Hint text={truncate({ text: full, max: TOOLTIP_MAX })}>
            <p className="truncate">{preview}</p>
          </Hint>
        )}
      </TableCell>
      <TableCell className="max-xl:hidden">
        <TagLine tags={tags} width={TAG_LINE_WIDTH} />
      </TableCell>
      {!isGuest && <TableCell className="truncate text-text-3 max-lg:hidden">{used}</TableCell>}
      <TableCell className="text-xs text-text-3 max-lg:hidden">
        <Visibility isPublic={isPublic} />
      </TableCell>
      <TableCell className="max-md:pr-1 max-md:pl-0">
        <VariableActions
          variable={variable}
          compact={compact}
          isGuest={isGuest}
          onPreview={() => onPreview(variable)}
          onEdit={() => onEdit(variable)}
          onDelete={() => onDelete(variable)}
        />
      </TableCell>
    </TableRow>
  )
}
