import { EvaluationPage } from '../../features/evaluations/evaluation-page.tsx'
import { usePathId } from '../../lib/address.ts'
import NotFoundPage from './not-found-page.tsx'

export default function EvaluationRoute() {
  const id = usePathId()
  return id === null ? <NotFoundPage /> : <EvaluationPage key={id} id={id} />
}
