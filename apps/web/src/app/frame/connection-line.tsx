import { DatabaseIcon } from 'lucide-react'
import { Banner } from '../../components/ui/banner.tsx'
import { useInstance } from '../../lib/instance.ts'

const SENTENCES = {
  moving:
    'Catenary is being moved to another database. You can read everything, and you can save and run again in a few minutes.',
  moved:
    'Catenary has moved to another database, so this copy is read-only. Ask an administrator for the new address.',
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
