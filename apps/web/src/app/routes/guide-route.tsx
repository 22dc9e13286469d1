import { useParams } from 'wouter'
import { GuideView } from '../../features/guide/guide-view.tsx'

export default function GuideRoute() {
  const { id } = useParams<{ id?: string }>()
  return <GuideView name={id ?? ''} />
}
