import { Redirect } from 'wouter'
import { useAddress, withChange } from '../../lib/address.ts'

/** Where the tokens that fetch prompts were before every token had one page. */
export default function ApiAccessRoute() {
  const [params] = useAddress()
  const query = String(withChange(params, { of: params.get('token') === 'new' ? 'read' : undefined }))
  return <Redirect to={query === '' ? '/connect' : `/connect?${query}`} replace />
}
