// What the engine loads when its first source on BigQuery is opened.
export { BigQuery } from '@google-cloud/bigquery'
