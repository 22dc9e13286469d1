import { HistoryIcon, LinkIcon, ListChecksIcon, PencilIcon, ScaleIcon } from 'lucide-react'
import { Button } from '../../components/ui/button.tsx'
import { useAriaKeys } from '../../lib/keyboard/shortcuts.ts'
import { SaveCopyButton } from './saving/copy-saving.tsx'
import type { SavedCopy } from './saving/use-saved-copy.ts'

export interface ExecuteActionsProps {
  version: number
  copy: SavedCopy | null
  onEdit: (() => void) | undefined
  onShowVersions: (() => void) | undefined
  onUseInChain: () => void
  onEvaluate: (() => void) | undefined
  onShowTests: (() => void) | undefined
  onSaveTest: (() => void) | undefined
}

export function ExecuteActions({ version, copy, ...act }: ExecuteActionsProps) {
  const { onEdit, onShowVersions, onUseInChain, onShowTests, onEvaluate, onSaveTest } = act
  const editKeys = useAriaKeys('edit')
  return (
    <>
      <Button variant="ghost" disabled={!onShowVersions} onClick={onShowVersions} className="px-2">
        <HistoryIcon />
        Version {version}
      </Button>
      {onShowTests && (
        <Button variant="ghost" onClick={onShowTests} className="px-2">
          <ListChecksIcon />
          Tests
        </Button>
      )}
      {onEdit && (
        <Button variant="secondary" aria-keyshortcuts={editKeys} onClick={onEdit}>
          <PencilIcon />
          Edit
        </Button>
      )}
      <Button variant="secondary" onClick={onUseInChain}>
        <LinkIcon />
        <span className={copy ? 'max-xl:sr-only' : undefined}>Use in a chain</span>
      </Button>
      {onEvaluate && (
        <Button variant="ghost" size="icon" aria-label="Evaluations" title="Evaluations" onClick={onEvaluate}>
          <ScaleIcon />
        </Button>
      )}
      {onSaveTest && (
        <Button variant="secondary" onClick={onSaveTest}>
          <ListChecksIcon />
          <span className="max-xl:sr-only">Save as test</span>
        </Button>
      )}
      {copy && <SaveCopyButton copy={copy} />}
    </>
  )
}
