import { ScaleIcon } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { DialogSuspense } from '../../components/dialog-suspense.tsx'
import { part } from '../../components/part.tsx'
import { Button } from '../../components/ui/button.tsx'
import { TestsPage, type TestsPageProps } from '../../features/test-suites/tests-page.tsx'

const RunEvaluationDialog = part(() => import('../../features/evaluations/run-evaluation-dialog.tsx'))

/** The tests of a prompt or chain, and the way from a suite to an evaluation by it. */
export function RecordTests(props: Omit<TestsPageProps, 'renderActions'>) {
  const { record, title } = props
  const [, navigate] = useLocation()
  const [suiteId, setSuiteId] = useState<number | null>(null)
  return (
    <>
      <TestsPage
        {...props}
        renderActions={({ id }) => (
          <Button variant="secondary" size="sm" onClick={() => setSuiteId(id)}>
            <ScaleIcon />
            Evaluate
          </Button>
        )}
      />
      {suiteId !== null && (
        <DialogSuspense>
          <RunEvaluationDialog
            record={{ ...record, name: title }}
            initial={{ suiteId }}
            onStarted={(id) => navigate(`/evaluations/${id}`)}
            onClose={() => setSuiteId(null)}
          />
        </DialogSuspense>
      )}
    </>
  )
}
