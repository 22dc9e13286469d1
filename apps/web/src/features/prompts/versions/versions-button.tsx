import { HistoryIcon } from 'lucide-react'
import { Button } from '../../../components/ui/button.tsx'

export function VersionsButton({ count, onClick }: { count: number; onClick: () => void }) {
  return (
    <Button variant="ghost" size="sm" onClick={onClick} className="-mt-0.5 pointer-coarse:-mt-2.5">
      <HistoryIcon />
      {count} {count === 1 ? 'version' : 'versions'}
    </Button>
  )
}
