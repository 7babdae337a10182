/** What is written: as GraphQL of ours, as a task of the bare server (bare-writes.ts), and as PostGraphile's GraphQL. */
import type { BareWrite } from './bare-writes.ts'
import { accounts } from './written-store.ts'

export interface Mutation {
  readonly name: string
  readonly graphql: string
  readonly variables: (i: number) => object
  readonly bare: BareWrite
  /** What the bare server is sent as its JSON. */
  readonly body: (i: number) => unknown
  /** Null: PostGraphile has nothing like it. */
  readonly postgraphile: { readonly query: string; readonly variables: (i: number) => object } | null
  /** So many requests are made before anybody is measured. */
  readonly requests: number
  readonly concurrencies: readonly number[]
}

/** Of the first store. */
const customer = (i: number) => 10_001 + ((i * 7919) % accounts)
const track = (i: number) => 10_001 + ((i * 7919) % 3503)
const city = (i: number) => `Oslo ${i % 1000}`

export const single: Mutation = {
  name: 'insert one, returning',
  graphql: `mutation ($customer: Int!, $city: String, $total: numeric) {
    insert_invoice_one(object: {customer_id: $customer, billing_city: $city, total: $total}) {
      id customer_id billing_city total } }`,
  variables: (i) => ({ customer: customer(i), city: city(i), total: (i % 100) + 0.99 }),
  bare: 'insert',
  body: (i) => [customer(i), city(i), (i % 100) + 0.99],
  postgraphile: {
    query: `mutation ($customer: Int!, $city: String, $total: BigFloat!) {
      createInvoice(input: {invoice: {storeId: 1, customerId: $customer, billingCity: $city, total: $total}}) {
        invoice { rowId customerId billingCity total } } }`,
    variables: (i) => ({ customer: customer(i), city: city(i), total: String((i % 100) + 0.99) }),
  },
  requests: 4000,
  concurrencies: [1, 10, 50],
}

/** The best that the bare server can do: no transaction around it and no setting. */
export const singleAlone: Mutation = {
  ...single,
  name: 'insert one, of one statement',
  bare: 'insert-alone',
  postgraphile: null,
}

/** Its answer follows an object relationship to a table that the statement does not change. */
export const following: Mutation = {
  name: 'insert one, the answer follows a relationship',
  graphql: `mutation ($object: invoice_line_insert_input!) {
    insert_invoice_line_one(object: $object) { id track { name } } }`,
  variables: (i) => ({ object: { invoice_id: 1, track_id: track(i), unit_price: 0.99, quantity: 1 } }),
  bare: 'following',
  body: (i) => [1, track(i), 0.99, 1],
  postgraphile: null,
  requests: 4000,
  concurrencies: [1, 10, 50],
}

export const update: Mutation = {
  name: 'update by key',
  graphql: `mutation ($id: Int!, $city: String) {
    update_account_by_pk(pk_columns: {id: $id}, _set: {city: $city}) { id city credit } }`,
  variables: (i) => ({ id: customer(i), city: city(i) }),
  bare: 'update',
  body: (i) => [customer(i), city(i)],
  postgraphile: {
    query: `mutation ($id: Int!, $city: String) {
      updateAccountByRowId(input: {rowId: $id, accountPatch: {city: $city}}) { account { rowId city credit } } }`,
    variables: (i) => ({ id: customer(i), city: city(i) }),
  },
  requests: 4000,
  concurrencies: [1, 10, 50],
}

export const updateAlone: Mutation = {
  ...update,
  name: 'update by key, of one statement',
  bare: 'update-alone',
  postgraphile: null,
}

const lines = (i: number) =>
  Array.from({ length: 5 }, (_, k) => ({
    track_id: 10_001 + ((i * 5 + k) % 3503),
    unit_price: 0.99,
    quantity: 1 + (k % 3),
  }))

export const nestedInsert: Mutation = {
  name: 'invoice with five lines',
  graphql: `mutation ($object: invoice_insert_input!) {
    insert_invoice_one(object: $object) { id customer_id billing_city total } }`,
  variables: (i) => ({
    object: { customer_id: customer(i), billing_city: city(i), total: (i % 100) + 0.99, lines: { data: lines(i) } },
  }),
  bare: 'nested',
  body: (i) => [customer(i), city(i), (i % 100) + 0.99, lines(i)],
  postgraphile: null,
  requests: 2000,
  concurrencies: [1, 10, 50],
}

/** The check of its lines reads their invoice: they cannot be one statement. */
export const nestedLooking: Mutation = {
  ...nestedInsert,
  name: 'the same, its check looks at the invoice',
  graphql: nestedInsert.graphql
    .replace('insert_invoice_one', 'insert_order_one')
    .replace('invoice_insert', 'order_insert'),
  bare: 'looking',
}

const many = (i: number) =>
  Array.from({ length: 1000 }, (_, k) => ({
    customer_id: customer(i + k),
    billing_city: city(i + k),
    total: (k % 100) + 0.99,
  }))

export const thousandObjects: Mutation = {
  name: '1,000 objects',
  graphql: `mutation ($objects: [invoice_insert_input!]!) { insert_invoice(objects: $objects) { affected_rows } }`,
  variables: (i) => ({ objects: many(i) }),
  bare: 'many',
  body: many,
  postgraphile: null,
  requests: 20,
  concurrencies: [1],
}

const aliased = (make: (k: number) => string) =>
  `mutation { ${Array.from({ length: 1000 }, (_, k) => make(k)).join('\n')} }`

export const thousandFields: Mutation = {
  name: '1,000 aliased creates',
  graphql: aliased(
    (k) =>
      `a${k}: insert_invoice_one(object: {customer_id: ${customer(k)}, billing_city: "${city(k)}", total: 0.99}) { id }`,
  ),
  variables: () => ({}),
  bare: 'each',
  body: many,
  postgraphile: {
    query: aliased(
      (k) =>
        `a${k}: createInvoice(input: {invoice: {storeId: 1, customerId: ${customer(k)}, billingCity: "${city(k)}", total: "0.99"}}) { invoice { rowId } }`,
    ),
    variables: () => ({}),
  },
  requests: 20,
  concurrencies: [1],
}

export const mutations: readonly Mutation[] = [
  single,
  singleAlone,
  following,
  update,
  updateAlone,
  nestedInsert,
  nestedLooking,
  thousandObjects,
  thousandFields,
]
