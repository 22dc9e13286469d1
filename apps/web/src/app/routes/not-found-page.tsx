import { Link } from 'wouter'
import { PageHeader } from '../../components/page-header.tsx'
import { Button } from '../../components/ui/button.tsx'

export default function NotFoundPage() {
  return (
    <>
      <PageHeader title="404 Page Not Found" />
      <div className="grid justify-items-start gap-4 p-6 max-md:p-4">
        <p className="text-base text-text-2">Did you forget to add the page to the router?</p>
        <Button variant="secondary" asChild>
          <Link href="/">Go to prompts</Link>
        </Button>
      </div>
    </>
  )
}
