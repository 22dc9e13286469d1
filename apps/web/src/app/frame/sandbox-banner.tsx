import { FlaskConicalIcon } from 'lucide-react'
import { useState } from 'react'
import { DialogSuspense } from '../../components/dialog-suspense.tsx'
import { part } from '../../components/part.tsx'
import { Banner } from '../../components/ui/banner.tsx'
import { Button } from '../../components/ui/button.tsx'
import { useInstance } from '../../lib/instance.ts'

const ModelKeyDialog = part(() => import('./model-key-dialog.tsx'))

/** Stands above every page while no model is called. */
export function SandboxBanner() {
  const instance = useInstance()
  const [isOpen, setIsOpen] = useState(false)
  if (!instance?.sandbox) return null
  return (
    <aside aria-label="Sandbox">
      <Banner
        shape="bar"
        variant="warn"
        icon={<FlaskConicalIcon />}
        className="max-md:px-4"
        action={
          <Button variant="link" onClick={() => setIsOpen(true)} className="font-medium text-warn underline">
            Add a key
          </Button>
        }
      >
        No model key is set, so replies come from the built-in sandbox, not from a model.
      </Banner>
      {isOpen && (
        <DialogSuspense>
          <ModelKeyDialog onClose={() => setIsOpen(false)} />
        </DialogSuspense>
      )}
    </aside>
  )
}
