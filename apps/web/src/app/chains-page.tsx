import { LinkIcon } from 'lucide-react'
import { EmptyState } from '../components/empty-state.tsx'
import { PageHeader } from '../components/page-header.tsx'

/** The chains: none can exist yet. */
export default function ChainsPage() {
  return (
    <>
      <PageHeader title="Chains" />
      <EmptyState
        icon={<LinkIcon />}
        title="No chains found."
        description="A chain hands the answer of one prompt to the next."
      />
    </>
  )
}
