import { FileQuestionIcon } from 'lucide-react'
import { EmptyState } from '../../components/empty-state.tsx'
import { Button } from '../../components/ui/button.tsx'

export function PromptNotFound({ onBack }: { onBack: () => void }) {
  return (
    <EmptyState
      icon={<FileQuestionIcon />}
      title="Prompt Not Found"
      about="gone"
      description="It was deleted, or it is not shared with you."
      action={
        <Button variant="secondary" onClick={onBack}>
          Go Back
        </Button>
      }
      className="pt-[18vh]"
    />
  )
}
