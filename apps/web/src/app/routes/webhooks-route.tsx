import { PageHeader } from '../../components/page-header.tsx'
import { WebhooksSection } from '../../features/webhooks/webhooks-section.tsx'
import { useDocumentTitle } from '../../lib/document-title.ts'

/** What is told to a person's own endpoints. */
export default function WebhooksRoute() {
  useDocumentTitle('Webhooks')
  return (
    <>
      <PageHeader title="Webhooks" />
      <div className="min-h-0 flex-1 overflow-y-auto px-6 pt-5 pb-16 max-md:px-3.5 max-md:pt-3.5">
        <div className="mx-auto grid max-w-[1120px] grid-cols-[minmax(0,1fr)]">
          <WebhooksSection />
        </div>
      </div>
    </>
  )
}
