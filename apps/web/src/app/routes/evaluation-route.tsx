import { useParams } from 'wouter'
import { EvaluationPage } from '../../features/evaluations/evaluation-page.tsx'
import NotFoundPage from './not-found-page.tsx'

export default function EvaluationRoute() {
  const { id = '' } = useParams<{ id: string }>()
  if (!/^[1-9]\d{0,9}$/.test(id)) return <NotFoundPage />
  return <EvaluationPage key={id} id={Number(id)} />
}
