import { Spinner } from '../../components/ui/spinner.tsx'

export function PageSpinner() {
  return (
    <div role="status" className="grid flex-1 animate-late place-items-center py-24 text-text-3">
      <Spinner className="size-5" />
      <h1 className="sr-only">Loading</h1>
    </div>
  )
}
