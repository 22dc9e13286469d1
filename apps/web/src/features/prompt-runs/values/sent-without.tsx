import { TriangleAlertIcon } from 'lucide-react'
import { Banner } from '../../../components/ui/banner.tsx'

export function SentWithout({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <Banner role="note" icon={<TriangleAlertIcon />}>
      Sent without {names.length === 1 ? 'a value' : 'values'} for {names.join(', ')}:{' '}
      {names.length === 1 ? 'the reference was' : 'the references were'} left as written.
    </Banner>
  )
}
