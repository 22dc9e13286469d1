import { useParams } from 'wouter'
import { GuideView } from '../../features/guide/guide-view.tsx'

/** The guide: its first page, or the one that the address names. */
export default function GuideRoute() {
  const { id } = useParams<{ id?: string }>()
  return <GuideView name={id ?? ''} />
}
