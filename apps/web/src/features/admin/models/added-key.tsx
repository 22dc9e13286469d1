import { CircleCheckIcon, TriangleAlertIcon, XIcon } from 'lucide-react'
import { Link } from 'wouter'
import { Banner } from '../../../components/ui/banner.tsx'
import { Button } from '../../../components/ui/button.tsx'
import type { AddedProvider } from './models.queries.ts'
import { focusAtOnce } from './provider-key-form.tsx'

interface AddedKeyProps {
  added: AddedProvider
  onClose: () => void
}

/** Takes the place of the line above every page until it is put away: what came of a key. */
export default function AddedKey({ added, onClose }: AddedKeyProps) {
  const { provider, usual, found } = added
  const isFine = usual?.test.ok !== false
  const others = (found?.models.length ?? 0) - (usual ? 1 : 0)
  const choose = usual ? 'Choose more models' : 'Choose models'
  return (
    <aside aria-label="Model key">
      <Banner
        // What had the focus is gone.
        ref={focusAtOnce}
        tabIndex={-1}
        shape="bar"
        variant={isFine ? 'ok' : 'warn'}
        role="status"
        icon={isFine ? <CircleCheckIcon /> : <TriangleAlertIcon />}
        className="outline-none max-md:px-4"
        action={
          <>
            <Link
              href={others > 0 ? `/settings/models?add=${provider.id}` : '/settings/models'}
              className="relative font-medium underline underline-offset-3 after:absolute after:-inset-x-1 after:-inset-y-3"
            >
              {others > 0 ? choose : 'Models'}
            </Link>
            <Button variant="ghost" size="icon-sm" aria-label="Dismiss" onClick={onClose}>
              <XIcon />
            </Button>
          </>
        }
      >
        {textOf(added)}
      </Banner>
    </aside>
  )
}

function textOf({ provider: { name }, usual }: AddedProvider): string {
  if (usual === undefined) return `The key for ${name} is saved. Add its models to use them.`
  const { model, test } = usual
  if (!test.ok) return `The key for ${name} is saved, but ${model.label} doesn’t answer: ${test.error}`
  return `${model.label} answered in ${Math.round(test.ms).toLocaleString('en')} ms. Replies now come from ${name}.`
}
