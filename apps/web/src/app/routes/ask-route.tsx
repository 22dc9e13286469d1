import { AskPage } from '../../features/asks/ask-page.tsx'
import { usePathId } from '../../lib/address.ts'

export default function AskRoute() {
  const id = usePathId()
  return <AskPage key={id} id={id} />
}
