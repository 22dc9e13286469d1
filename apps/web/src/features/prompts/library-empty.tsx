import { MessageSquareTextIcon, PlusIcon } from 'lucide-react'
import { EmptyState } from '../../components/empty-state.tsx'
import { TemplateText } from '../../components/template-text.tsx'
import { Button } from '../../components/ui/button.tsx'

const EXAMPLE = {
  content:
    'Write a short, warm welcome for $<customer>. Name one thing to try first, and end with a question.',
  variable: { name: 'customer', content: 'Ada Lovelace' },
}

/** What a guest sees of a library without prompts: what one is. */
export function EmptyLibrary({ onCreate }: { onCreate: () => void }) {
  return (
    <EmptyState
      icon={<MessageSquareTextIcon />}
      title="No prompts yet"
      about="prompts"
      description={
        <>
          A prompt is a text that you run again and again. What changes from run to run is a variable.
          <span className="mt-3 block rounded-card border border-line bg-inset p-3.5 text-left">
            <TemplateText text={EXAMPLE.content} />
            <span className="mt-2 block border-t border-line pt-2 text-xs text-text-3">
              <code className="rounded-[4px] bg-ref-soft px-1 text-ref">
                $&lt;{EXAMPLE.variable.name}&gt;
              </code>{' '}
              is a variable: {EXAMPLE.variable.content}
            </span>
          </span>
        </>
      }
      action={
        <Button onClick={onCreate}>
          <PlusIcon />
          Write your own
        </Button>
      }
    />
  )
}
