import { HistoryIcon } from 'lucide-react'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'

export function DraftNotice({ onDiscard }: { onDiscard: () => void }) {
  return (
    <Banner
      variant="accent"
      role="status"
      icon={<HistoryIcon />}
      action={
        <Button variant="link" onClick={onDiscard}>
          Discard draft
        </Button>
      }
    >
      Your unsaved draft is back.
    </Banner>
  )
}
