import { LinkIcon, PlusIcon } from 'lucide-react'
import { EmptyState } from '../../../components/empty-state.tsx'
import { Button } from '../../../components/ui/button.tsx'

export function StepsEmpty({ onAdd }: { onAdd: (() => void) | undefined }) {
  return (
    <EmptyState
      icon={<LinkIcon />}
      title="No steps yet"
      about="steps"
      description="Add a step to get started with your chain."
      action={
        onAdd && (
          <Button onClick={onAdd}>
            <PlusIcon />
            Add First Step
          </Button>
        )
      }
    />
  )
}
