import { FlaskConicalIcon } from 'lucide-react'
import { Suspense, useState } from 'react'
import { part } from '../../components/part.tsx'
import { Banner } from '../../components/ui/banner.tsx'
import { Button } from '../../components/ui/button.tsx'
import { ByName } from '../../features/accounts/by-name.tsx'
import type { AddedProvider } from '../../features/admin/models/models.queries.ts'
import { useInstance } from '../../lib/instance.ts'
import { useSession } from '../../lib/session/session.tsx'

const ProviderKeyForm = part(() => import('../../features/admin/models/provider-key-form.tsx'))
const AddedKey = part(() => import('../../features/admin/models/added-key.tsx'))

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
  if (added) {
    return (
      <Suspense>
        <AddedKey added={added} onClose={() => setAdded(undefined)} />
      </Suspense>
    )
  }
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
          isAdmin && (
            <Button
              variant="link"
              aria-expanded={isOpen}
              onClick={() => onOpenChange(!isOpen)}
              className="font-medium text-warn underline"
            >
              Add a key
            </Button>
          )
        }
      >
        No model key is set, so replies come from the built-in sandbox, not from a model.{' '}
        {user && !isAdmin && (
          <strong className="font-medium">
            <ByName text="Ask an administrator to add one." />
          </strong>
        )}
      </Banner>
      {isOpen && isAdmin && (
        <div className="max-h-[40dvh] overflow-y-auto border-b border-line bg-surface px-6 py-4 max-md:px-4">
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
