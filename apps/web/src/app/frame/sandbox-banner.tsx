import { CircleCheckIcon, FlaskConicalIcon, TriangleAlertIcon, XIcon } from 'lucide-react'
import { Suspense, useState } from 'react'
import { Link } from 'wouter'
import { part } from '../../components/part.tsx'
import { Banner } from '../../components/ui/banner.tsx'
import { Button } from '../../components/ui/button.tsx'
import type { AddedProvider } from '../../features/admin/models/models.queries.ts'
import { useInstance } from '../../lib/instance.ts'
import { useSession } from '../../lib/session/session.tsx'

const ProviderKeyForm = part(() => import('../../features/admin/models/provider-key-form.tsx'))

interface SandboxBannerProps {
  /** An administrator adds a key. */
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}

/** Stands above every page while no model is called. An administrator adds a key in its place, and it says what came of it. */
export function SandboxBanner({ isOpen, onOpenChange }: SandboxBannerProps) {
  const instance = useInstance()
  const { user, isAdmin } = useSession()
  const [added, setAdded] = useState<AddedProvider>()
  if (added) return <AddedBanner added={added} onClose={() => setAdded(undefined)} />
  if (!instance?.sandbox) return null
  const close = () => onOpenChange(false)
  return (
    <aside aria-label="Sandbox">
      <Banner
        shape="bar"
        variant="warn"
        icon={<FlaskConicalIcon />}
        className="max-md:px-4"
        action={
          isAdmin ? (
            <Button
              variant="link"
              aria-expanded={isOpen}
              onClick={() => onOpenChange(!isOpen)}
              className="font-medium text-warn underline"
            >
              Add a key
            </Button>
          ) : (
            user && <span className="font-medium">Ask an administrator to add one</span>
          )
        }
      >
        No model key is set, so replies come from the built-in sandbox, not from a model.
      </Banner>
      {isOpen && isAdmin && (
        <div className="border-b border-line bg-surface px-6 py-4 max-md:px-4">
          <Suspense>
            <ProviderKeyForm
              onAdded={(added: AddedProvider) => {
                setAdded(added)
                close()
              }}
              onClose={close}
              className="max-w-[760px]"
            />
          </Suspense>
        </div>
      )}
    </aside>
  )
}

/** Takes the banner's place until it is put away. */
function AddedBanner({ added, onClose }: { added: AddedProvider; onClose: () => void }) {
  const isFine = added.usual?.test.ok !== false
  return (
    <aside aria-label="Model key">
      <Banner
        ref={focusAtOnce}
        tabIndex={-1}
        shape="bar"
        variant={isFine ? 'ok' : 'warn'}
        role="status"
        icon={isFine ? <CircleCheckIcon /> : <TriangleAlertIcon />}
        className="outline-none max-md:px-4"
        action={
          <>
            <Link href="/settings/models" className="font-medium underline underline-offset-3">
              Models
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

/** What had the focus is gone. */
function focusAtOnce(element: HTMLElement | null): void {
  element?.focus()
}
