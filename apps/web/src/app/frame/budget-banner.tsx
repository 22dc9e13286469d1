import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from 'wouter'
import { BudgetWarning } from '../../features/usage/budget-warning.tsx'
import { budgetQuery } from '../../features/usage/usage.queries.ts'
import { useSession } from '../../lib/session/session.tsx'

/** Stands above every page once the person's budget of the month comes to its end; the usage page says it itself. */
export function BudgetBanner() {
  const { user } = useSession()
  const [path] = useLocation()
  const { data } = useQuery({ ...budgetQuery, enabled: user !== null })
  if (!user || !data?.budget?.isNear || path.startsWith('/usage')) return null
  return (
    <aside aria-label="Budget">
      <BudgetWarning
        budget={data.budget}
        shape="bar"
        action={
          <Link href="/usage" className="font-medium underline underline-offset-3">
            Usage
          </Link>
        }
      />
    </aside>
  )
}
