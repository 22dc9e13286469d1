import { DatabaseIcon } from 'lucide-react'
import { Banner } from '../../components/ui/banner.tsx'
import { useInstance } from '../../lib/instance.ts'

const SENTENCES = {
  moving:
    'Catenary is being moved to another database. Everything can be read; saving and running go on in some minutes.',
  moved: 'Catenary was moved to another database. What is here can only be read: ask where it is now.',
}

export function ReadOnlyBanner() {
  const state = useInstance()?.readOnly
  if (!state) return null
  return (
    <aside aria-label="Read only">
      <Banner shape="bar" variant="warn" icon={<DatabaseIcon />} className="max-md:px-4">
        {SENTENCES[state]}
      </Banner>
    </aside>
  )
}
