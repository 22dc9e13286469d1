import * as z from 'zod'

/** Any JSON. It contains itself, so the OpenAPI document needs a name for it to refer to. */
export const jsonValue = z.json().register(z.globalRegistry, { id: 'JsonValue' })
