import { Redirect, useSearch } from 'wouter'

/** Where the tokens that fetch prompts were before every token had one page. */
export default function ApiAccessRoute() {
  const params = new URLSearchParams(useSearch())
  if (params.get('token') === 'new') params.set('of', 'read')
  const query = String(params)
  return <Redirect to={query === '' ? '/connect' : `/connect?${query}`} replace />
}
