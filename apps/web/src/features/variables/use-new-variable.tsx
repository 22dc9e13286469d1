import { type ReactNode, useState } from 'react'
import { DialogSuspense } from '../../components/dialog-suspense.tsx'
import { part } from '../../components/part.tsx'
import { useSession } from '../../lib/session/session.tsx'

const VariableDialog = part(() => import('./variable-dialog.tsx'))

interface NewVariable {
  createVariable: (name: string) => void
  /** Its dialog while it is open: beside the form that asked for it, not inside. */
  newVariable: ReactNode
}

export function useNewVariable(): NewVariable {
  const { user } = useSession()
  const [name, setName] = useState<string | null>(null)
  const newVariable = name !== null && user && (
    <DialogSuspense>
      <VariableDialog key={name} variable={null} name={name} userId={user.id} onClose={() => setName(null)} />
    </DialogSuspense>
  )
  return { createVariable: setName, newVariable }
}
