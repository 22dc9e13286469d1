import { Redirect } from 'wouter'
import { useAddress, withChange } from '../../lib/address.ts'

export default function ApiAccessRoute() {
  const [params] = useAddress()
  const query = String(withChange(params, { of: params.get('token') === 'new' ? 'read' : undefined }))
  return <Redirect to={query === '' ? '/connect' : `/connect?${query}`} replace />
}
