import { ListChecksIcon, RotateCwIcon, SaveIcon } from 'lucide-react'
import { MoreMenu } from '../../../components/more-menu.tsx'
import {
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
} from '../../../components/ui/dropdown-menu.tsx'
import { ModelMenuItems } from '../targets/model-menu.tsx'
import type { ColumnActions } from './column-actions.ts'

export function ColumnMenu({
  name,
  actions: { onRunAgain, onOtherModel, saving, onSaveTest },
}: {
  name: string
  actions: ColumnActions
}) {
  if (!onRunAgain && !saving && !onSaveTest) return null
  return (
    <MoreMenu aria-label={`More: ${name}`}>
      {saving && (
        <DropdownMenuItem onSelect={saving.onSave}>
          <SaveIcon />
          Save as version {saving.number}
        </DropdownMenuItem>
      )}
      {onSaveTest && (
        <DropdownMenuItem onSelect={onSaveTest}>
          <ListChecksIcon />
          Save as test
        </DropdownMenuItem>
      )}
      {onRunAgain && (
        <DropdownMenuItem onSelect={onRunAgain}>
          <RotateCwIcon />
          Run again
        </DropdownMenuItem>
      )}
      {onOtherModel && (
        <>
          <DropdownMenuSeparator />
          <DropdownMenuLabel>Run on another model</DropdownMenuLabel>
          <ModelMenuItems onChoose={onOtherModel} />
        </>
      )}
    </MoreMenu>
  )
}
