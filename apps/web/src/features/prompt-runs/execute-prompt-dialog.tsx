import { isWhole, type ListedPrompt } from '@catenary/contracts'
import { useEffect } from 'react'
import { errorReason } from '../../lib/errors.ts'
import { toast } from '../../lib/toast.ts'
import ExecuteDialog from './execute-dialog.tsx'
import { PromptRunner } from './prompt-runner.tsx'

export interface ExecutePromptDialogProps {
  id: number
  known: ListedPrompt | undefined
  onClose: () => void
}

export default function ExecutePromptDialog({ id, known, onClose }: ExecutePromptDialogProps) {
  return (
    <PromptRunner
      id={id}
      known={known && isWhole(known) ? known : undefined}
      renderPending={() => null}
      renderError={(error) => <NotOpened error={error} onClose={onClose} />}
      render={(slots) => (
        <ExecuteDialog key={slots.prompt.revision} {...slots} onClose={onClose} pageHref={`/execute/${id}`} />
      )}
    />
  )
}

function NotOpened({ error, onClose }: { error: Error; onClose: () => void }) {
  useEffect(() => {
    toast({ title: 'Prompt Not Found', description: errorReason(error), variant: 'destructive' })
    onClose()
  }, [error, onClose])
  return null
}
