import { lazy, Suspense } from 'react'
import { VariablesPage } from '../features/variables/variables-page.tsx'

const VariableEditorDialog = lazy(() => import('./variable-editor-dialog.tsx'))

/** The variables library. */
export default function VariablesRoute() {
  return (
    <VariablesPage
      renderEditor={(props) => (
        <Suspense>
          <VariableEditorDialog {...props} />
        </Suspense>
      )}
    />
  )
}
