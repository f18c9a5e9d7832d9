/** Written by `npm run bench:peers` from benchmarks/peers/results.json: never edit it by hand. */
import type { PeerFigures } from './peer-picture.ts'

export const peerFigures: PeerFigures = {
  "date": "2026-11-17",
  "machine": "2 cores of Intel(R) Xeon(R) Processor",
  "versions": [
    "Turnleaf 0.1.0",
    "airbyte-cdk 7.39.1",
    "dlt 1.31.0",
    "singer-sdk 0.54.9",
    "got 14.6.6",
    "undici 7.30.2",
    "DuckDB of Turnleaf 1.5.5-r.5",
    "DuckDB of dlt 2.0.0",
    "pyarrow 26.0.1",
    "Node 20.20.2",
    "Python 3.11.7"
  ],
  "charts": [
    {
      "id": "read",
      "title": "Records per second",
      "subtitle": "1,000 pages, responses at once",
      "bars": [
        {
          "label": "bare undici loop",
          "value": 265824,
          "isOurs": false
        },
        {
          "label": "Turnleaf",
          "value": 130483,
          "isOurs": true
        },
        {
          "label": "got",
          "value": 40973,
          "isOurs": false
        },
        {
          "label": "dlt",
          "value": 39680,
          "isOurs": false
        },
        {
          "label": "airbyte-cdk",
          "value": 17203,
          "isOurs": false
        },
        {
          "label": "singer-sdk",
          "value": 13286,
          "isOurs": false
        }
      ]
    },
    {
      "id": "latency-100",
      "title": "Records per second",
      "subtitle": "200 pages, responses after 100 ms",
      "bars": [
        {
          "label": "Turnleaf",
          "value": 12028,
          "isOurs": true
        },
        {
          "label": "bare undici loop",
          "value": 978,
          "isOurs": false
        },
        {
          "label": "got",
          "value": 961,
          "isOurs": false
        },
        {
          "label": "dlt",
          "value": 946,
          "isOurs": false
        },
        {
          "label": "airbyte-cdk",
          "value": 914,
          "isOurs": false
        },
        {
          "label": "singer-sdk",
          "value": 913,
          "isOurs": false
        }
      ]
    }
  ],
  "table": {
    "columns": [
      "reader",
      "records/s, responses at once",
      "records/s, responses after 100 ms",
      "records/s into DuckDB",
      "ms from start to first record"
    ],
    "rows": [
      [
        "Turnleaf",
        "130,483",
        "12,028",
        "31,300",
        "356"
      ],
      [
        "bare undici loop",
        "265,824",
        "978",
        "–",
        "165"
      ],
      [
        "got",
        "40,973",
        "961",
        "–",
        "241"
      ],
      [
        "dlt",
        "39,680",
        "946",
        "2,812",
        "708"
      ],
      [
        "dlt, told to load Parquet files",
        "–",
        "–",
        "9,922",
        "–"
      ],
      [
        "singer-sdk",
        "13,286",
        "913",
        "–",
        "532"
      ],
      [
        "airbyte-cdk",
        "17,203",
        "914",
        "–",
        "1,976"
      ]
    ]
  }
}
